package checkpoint_test

import (
	"encoding/json"

	"github.com/kubeckpt/ckpt/checksum"
)

// cpuState is the cpu manager's document of Kubernetes 1.18 to 1.36. Its sum is
// over the document with a sum of 0, under the name the type has there.
type cpuState struct {
	PolicyName    string                       `json:"policyName"`
	DefaultCPUSet string                       `json:"defaultCpuSet"`
	Entries       map[string]map[string]string `json:"entries,omitempty"`
	Checksum      checksum.Checksum            `json:"checksum"`
}

var cpuNames = checksum.Name[cpuState]("state.CPUManagerCheckpoint")

func newCPUState() *cpuState { return &cpuState{Entries: map[string]map[string]string{}} }

func (c *cpuState) MarshalCheckpoint() ([]byte, error) {
	c.Checksum = 0
	sum, err := checksum.Sum(c, cpuNames)
	if err != nil {
		return nil, err
	}
	c.Checksum = sum
	return json.Marshal(*c)
}

func (c *cpuState) UnmarshalCheckpoint(blob []byte) error { return json.Unmarshal(blob, c) }

func (c *cpuState) VerifyChecksum() error {
	stored := c.Checksum
	c.Checksum = 0
	sum, err := checksum.Sum(c, cpuNames)
	c.Checksum = stored
	if err != nil {
		return err
	}
	if sum != stored {
		return &checksum.CorruptCheckpointError{ActualCS: uint64(sum), ExpectedCS: uint64(stored)}
	}
	return nil
}

// deviceState is the device manager's document. Its sum is over the Data value.
type deviceState struct {
	Data     deviceData
	Checksum checksum.Checksum
}

type deviceData struct {
	PodDeviceEntries  []deviceEntry
	RegisteredDevices map[string][]string
}

type deviceEntry struct {
	PodUID, ContainerName, ResourceName string
	DeviceIDs                           devicesPerNUMA
	AllocResp                           []byte
}

type devicesPerNUMA map[int64][]string

var deviceNames = checksum.Merge(
	checksum.Name[deviceData]("checkpoint.checkpointData"),
	checksum.Name[deviceEntry]("checkpoint.PodDevicesEntry"),
	checksum.Name[devicesPerNUMA]("checkpoint.DevicesPerNUMA"),
)

func (d *deviceState) MarshalCheckpoint() ([]byte, error) {
	sum, err := checksum.Sum(d.Data, deviceNames)
	if err != nil {
		return nil, err
	}
	d.Checksum = sum
	return json.Marshal(*d)
}

func (d *deviceState) UnmarshalCheckpoint(blob []byte) error { return json.Unmarshal(blob, d) }

func (d *deviceState) VerifyChecksum() error {
	sum, err := checksum.Sum(d.Data, deviceNames)
	if err == nil && sum != d.Checksum {
		err = &checksum.CorruptCheckpointError{ActualCS: uint64(sum), ExpectedCS: uint64(d.Checksum)}
	}
	return err
}
