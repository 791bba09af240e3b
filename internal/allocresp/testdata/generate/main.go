// Command generate writes ../vectors.tsv.gz: what the kubelet's two decoders of a
// ContainerAllocateResponse make of several thousand messages. They are
// k8s.io/kubelet 0.33.5 (gogo; the generated code is the same in 0.29 to 0.33),
// here under the name k8s.io/kubelet33, and 0.37.2 with the google protobuf of
// Kubernetes 1.36 and 1.37.
//
//	go run . -o ../vectors.tsv.gz
//	go run -modfile=v0.34.mod . -o /tmp/x   # 0.29.15, and 0.34.0 with its protobuf 1.36.5: the same bytes
//
// A line holds three tab-separated fields: the message in base64, and what gogo
// and google say, each "error " and the text or "ok " and the content, see render.
//
// `go test .` and `go test -fuzz=Fuzz .` compare package allocresp with both.
package main

import (
	"bufio"
	"compress/gzip"
	"encoding/base64"
	"flag"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	google "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
	gogo "k8s.io/kubelet33/pkg/apis/deviceplugin/v1beta1"
)

func main() {
	out := flag.String("o", "../vectors.tsv.gz", "file to write")
	flag.Parse()
	f, err := os.Create(*out)
	if err != nil {
		log.Fatal(err)
	}
	zw, _ := gzip.NewWriterLevel(f, gzip.BestCompression)
	w := bufio.NewWriter(zw)
	vs := vectors()
	for _, b := range vs {
		fmt.Fprintf(w, "%s\t%s\t%s\n", base64.StdEncoding.EncodeToString(b), askGogo(b), askGoogle(b))
	}
	for _, c := range []func() error{w.Flush, zw.Close, f.Close} {
		if err := c(); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(len(vs), "vectors")
}

func askGogo(b []byte) string {
	var m gogo.ContainerAllocateResponse
	if err := m.Unmarshal(b); err != nil {
		return "error " + err.Error()
	}
	c := content{envs: m.Envs, annotations: m.Annotations}
	for _, x := range m.Mounts {
		c.mounts = append(c.mounts, mount(x.ContainerPath, x.HostPath, x.ReadOnly))
	}
	for _, x := range m.Devices {
		c.devices = append(c.devices, []string{x.ContainerPath, x.HostPath, x.Permissions})
	}
	for _, x := range m.CDIDevices {
		c.cdi = append(c.cdi, x.Name)
	}
	return "ok " + c.render()
}

func askGoogle(b []byte) string {
	var m google.ContainerAllocateResponse
	if err := proto.Unmarshal(b, &m); err != nil {
		return "error " + strings.ReplaceAll(err.Error(), "\u00a0", " ") // see errors.New there
	}
	c := content{envs: m.Envs, annotations: m.Annotations}
	for _, x := range m.Mounts {
		c.mounts = append(c.mounts, mount(x.ContainerPath, x.HostPath, x.ReadOnly))
	}
	for _, x := range m.Devices {
		c.devices = append(c.devices, []string{x.ContainerPath, x.HostPath, x.Permissions})
	}
	for _, x := range m.CdiDevices {
		c.cdi = append(c.cdi, x.Name)
	}
	return "ok " + c.render()
}

func mount(container, host string, readOnly bool) []string {
	return []string{container, host, strconv.FormatBool(readOnly)}
}

type content struct {
	envs, annotations map[string]string
	mounts, devices   [][]string
	cdi               []string
}

// render relies on fmt to print maps in the order of their keys.
func (c content) render() string {
	return fmt.Sprintf("%+q %+q %+q %+q %+q", c.envs, c.mounts, c.devices, c.annotations, c.cdi)
}
