package render

import (
	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/allocresp"
)

// jsonContent returns the content for JSON: as the file has it, but for AllocResp,
// which is decoded, and for secrets.
func jsonContent(content any, o Options) any {
	switch c := content.(type) {
	case *kubelet.DeviceState:
		return deviceContent(c, o)
	case *kubelet.DRAState:
		return draContent(c, o)
	}
	return content
}

type jsonDevices struct {
	PodDeviceEntries  []jsonDeviceEntry
	RegisteredDevices map[string][]string
}

type jsonDeviceEntry struct {
	PodUID        string
	ContainerName string
	ResourceName  string
	DeviceIDs     kubelet.DevicesPerNUMA
	AllocResp     []byte         `json:",omitempty"` // only with secrets: it holds them in plain
	Response      *jsonAllocResp `json:",omitempty"` // nil if it does not decode
	Error         string         `json:",omitempty"` // why kubelets since 1.34 drop the entry
}

type jsonAllocResp struct {
	Envs        map[string]string  `json:"envs"`
	Mounts      []allocresp.Mount  `json:"mounts"`
	Devices     []allocresp.Device `json:"devices"`
	Annotations map[string]string  `json:"annotations"`
	CDIDevices  []string           `json:"cdiDevices"`
}

func deviceContent(s *kubelet.DeviceState, o Options) jsonDevices {
	out := jsonDevices{make([]jsonDeviceEntry, 0, len(s.PodDeviceEntries)), s.RegisteredDevices}
	if out.RegisteredDevices == nil {
		out.RegisteredDevices = map[string][]string{}
	}
	for _, e := range s.PodDeviceEntries {
		j := jsonDeviceEntry{PodUID: e.PodUID, ContainerName: e.ContainerName, ResourceName: e.ResourceName, DeviceIDs: e.DeviceIDs}
		if o.ShowSecrets {
			j.AllocResp = e.AllocResp
		}
		r, err := allocresp.Decode(e.AllocResp, allocresp.Google)
		if err != nil {
			j.Error = err.Error()
			r, _ = allocresp.Decode(e.AllocResp, allocresp.Gogo)
		}
		if r != nil {
			j.Response = &jsonAllocResp{redactAll(r.Envs, o), notNil(r.Mounts), notNil(r.Devices),
				redactAll(r.Annotations, o), notNil(r.CDIDevices)}
		}
		out.PodDeviceEntries = append(out.PodDeviceEntries, j)
	}
	return out
}

func redactAll(m map[string]string, o Options) map[string]string {
	out := make(map[string]string, len(m))
	for key, value := range m {
		out[key] = o.redact(key, value)
	}
	return out
}

func draContent(s *kubelet.DRAState, o Options) *kubelet.DRAState {
	out := *s
	out.Claims = nil
	for _, c := range s.Claims {
		handles := make([]kubelet.ClaimHandle, 0, len(c.ResourceHandles))
		for _, h := range c.ResourceHandles {
			h.Data = o.redact("", h.Data)
			handles = append(handles, h)
		}
		c.ResourceHandles = handles
		out.Claims = append(out.Claims, c)
	}
	return &out
}
