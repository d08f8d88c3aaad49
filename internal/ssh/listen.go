// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"net"
	"strconv"

	"golang.org/x/crypto/ssh"
)

// remoteForward is a port of the task that is forwarded to the client (ssh -R).
type remoteForward struct {
	listener net.Listener
	host     string // requested by the client
	port     uint32
}

// listenRequest is the payload of a tcpip-forward request (RFC 4254, section 7.1).
type listenRequest struct {
	Host string
	Port uint32
}

func (r listenRequest) key() string { return net.JoinHostPort(r.Host, strconv.Itoa(int(r.Port))) }

// listen opens the requested port on a loopback address. Only processes of
// the task can use the port.
func (c *connection) listen(r *ssh.Request) {
	var asked listenRequest
	if ssh.Unmarshal(r.Payload, &asked) != nil {
		reply(r, false, nil)
		return
	}
	host := "127.0.0.1"
	if ip := net.ParseIP(asked.Host); ip != nil && ip.To4() == nil {
		host = "::1"
	}
	listener, err := (&net.ListenConfig{}).Listen(c.ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(int(asked.Port))))
	if err != nil {
		c.server.Log("port forwarding for an ssh client failed: " + err.Error())
		reply(r, false, nil)
		return
	}
	var payload []byte
	if asked.Port == 0 {
		asked.Port = uint32(listener.Addr().(*net.TCPAddr).Port)
		payload = ssh.Marshal(struct{ Port uint32 }{asked.Port})
	}
	f := &remoteForward{listener: listener, host: asked.Host, port: asked.Port}
	c.mu.Lock()
	c.listeners[asked.key()] = f
	c.mu.Unlock()
	reply(r, true, payload)
	go c.acceptFor(f)
}

func (c *connection) acceptFor(f *remoteForward) {
	for {
		conn, err := f.listener.Accept()
		if err != nil {
			return
		}
		go c.relay(conn, f)
	}
}

func (c *connection) relay(conn net.Conn, f *remoteForward) {
	origin := conn.RemoteAddr().(*net.TCPAddr)
	channel, requests, err := c.conn.OpenChannel("forwarded-tcpip", ssh.Marshal(forwarded{
		Host: f.host, Port: f.port, Origin: origin.IP.String(), OriginPort: uint32(origin.Port),
	}))
	if err != nil {
		_ = conn.Close()
		return
	}
	pipe(channel, requests, conn, c.ctx.Done())
}

func (c *connection) cancelListen(r *ssh.Request) {
	var asked listenRequest
	known := false
	if ssh.Unmarshal(r.Payload, &asked) == nil {
		c.mu.Lock()
		f := c.listeners[asked.key()]
		if known = f != nil; known {
			delete(c.listeners, asked.key())
			_ = f.listener.Close()
		}
		c.mu.Unlock()
	}
	reply(r, known, nil)
}

func (c *connection) stopForwards() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, f := range c.listeners {
		_ = f.listener.Close()
		delete(c.listeners, key)
	}
}
