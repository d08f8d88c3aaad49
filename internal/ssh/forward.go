// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"io"
	"net"
	"strconv"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// dialTimeout is the time limit for establishing a forwarded connection.
const dialTimeout = 30 * time.Second

// forwarded is the payload of a channel request for a forwarded connection.
// The payload has the same format in both directions (RFC 4254, section 7.2).
type forwarded struct {
	Host       string
	Port       uint32
	Origin     string
	OriginPort uint32
}

// forward connects a channel to an address that is reachable from the task
// (ssh -L).
func (c *connection) forward(offered ssh.NewChannel) {
	var to forwarded
	if ssh.Unmarshal(offered.ExtraData(), &to) != nil {
		_ = offered.Reject(ssh.ConnectionFailed, "cannot parse the address in the forwarding request")
		return
	}
	conn, err := (&net.Dialer{Timeout: dialTimeout}).DialContext(c.ctx, "tcp", net.JoinHostPort(to.Host, strconv.Itoa(int(to.Port))))
	if err != nil {
		_ = offered.Reject(ssh.ConnectionFailed, err.Error())
		return
	}
	channel, requests, err := offered.Accept()
	if err != nil {
		_ = conn.Close()
		return
	}
	pipe(channel, requests, conn, c.ctx.Done())
}

// halfConn is one side of a forwarded connection.
type halfConn interface {
	io.ReadWriteCloser
	CloseWrite() error
}

// pipe copies data in both directions until neither side sends more data. It
// also ends if the client closes the channel or the ssh connection.
func pipe(channel ssh.Channel, requests <-chan *ssh.Request, conn net.Conn, gone <-chan struct{}) {
	tcp := conn.(*net.TCPConn)
	sent, over := make(chan struct{}), make(chan struct{})
	go func() {
		ssh.DiscardRequests(requests) // until the channel is closed
		<-sent
		_ = conn.Close()
	}()
	go func() {
		select {
		case <-gone:
			_ = conn.Close()
		case <-over:
		}
	}()
	var both sync.WaitGroup
	both.Go(func() {
		copyHalf(tcp, channel)
		close(sent)
	})
	both.Go(func() { copyHalf(channel, tcp) })
	both.Wait()
	close(over)
	_ = conn.Close()
	_ = channel.Close()
}

func copyHalf(to, from halfConn) {
	_, _ = io.Copy(to, from)
	_ = to.CloseWrite()
}
