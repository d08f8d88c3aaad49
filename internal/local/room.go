package local

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// noRoom reports whether a write failed because the disk is full, or the
// quota of the user used up.
func noRoom(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// roomForChanges is what a status may need beyond the present one.
const roomForChanges = 8 << 10

// full reports whether there is no room for another status of the Framework.
func (o object) full() bool {
	size := int64(roomForChanges)
	if info, err := os.Stat(o.statusFile()); err == nil {
		size += info.Size()
	}
	f, err := os.CreateTemp(o.dir, ".room.*.tmp")
	if err != nil {
		return noRoom(err)
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.Write(make([]byte, size))
	return noRoom(errors.Join(err, f.Close()))
}

// fullText says what a full disk means and what to do.
func (o object) fullText() string {
	store := filepath.Dir(filepath.Dir(o.dir))
	return "there is no room left on the disk of " + store + "; what becomes of the job is recorded and shown once there is. \"openpai destroy\" works all the same and removes its logs"
}
