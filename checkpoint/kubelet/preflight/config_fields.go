package preflight

import (
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// oldFields are the fields of a KubeletConfiguration in every release, those of
// staging/src/k8s.io/kubelet/config/v1beta1/types.go.
const oldFields = `
address allowedUnsafeSysctls apiVersion authentication authorization cgroupDriver cgroupRoot cgroupsPerQOS
clusterDNS clusterDomain configMapAndSecretChangeDetectionStrategy containerLogMaxFiles containerLogMaxSize
containerRuntimeEndpoint contentType cpuCFSQuota cpuCFSQuotaPeriod cpuManagerPolicy cpuManagerPolicyOptions
cpuManagerReconcilePeriod enableContentionProfiling enableControllerAttachDetach enableDebugFlagsHandler
enableDebuggingHandlers enableProfilingHandler enableServer enableSystemLogHandler enableSystemLogQuery
enforceNodeAllocatable eventBurst eventRecordQPS evictionHard evictionMaxPodGracePeriod evictionMinimumReclaim
evictionPressureTransitionPeriod evictionSoft evictionSoftGracePeriod failSwapOn featureGates
fileCheckFrequency hairpinMode healthzBindAddress healthzPort httpCheckFrequency imageGCHighThresholdPercent
imageGCLowThresholdPercent imageMaximumGCAge imageMinimumGCAge imageServiceEndpoint iptablesDropBit
iptablesMasqueradeBit kernelMemcgNotification kind kubeAPIBurst kubeAPIQPS kubeReserved kubeReservedCgroup
kubeletCgroups localStorageCapacityIsolation logging makeIPTablesUtilChains maxOpenFiles maxParallelImagePulls
maxPods memoryManagerPolicy memorySwap memoryThrottlingFactor nodeLeaseDurationSeconds nodeStatusMaxImages
nodeStatusReportFrequency nodeStatusUpdateFrequency oomScoreAdj podCIDR podPidsLimit podsPerCore port
protectKernelDefaults providerID qosReserved readOnlyPort registerNode registerWithTaints registryBurst
registryPullQPS reservedMemory reservedSystemCPUs resolvConf rotateCertificates runOnce runtimeRequestTimeout
seccompDefault serializeImagePulls serverTLSBootstrap showHiddenMetricsForVersion shutdownGracePeriod
shutdownGracePeriodByPodPriority shutdownGracePeriodCriticalPods staticPodPath staticPodURL staticPodURLHeader
streamingConnectionIdleTimeout syncFrequency systemCgroups systemReserved systemReservedCgroup tlsCertFile
tlsCipherSuites tlsMinVersion tlsPrivateKeyFile topologyManagerPolicy topologyManagerPolicyOptions
topologyManagerScope tracing volumePluginDir volumeStatsAggPeriod
`

// newFields are those that came later.
var newFields = map[string]kubelet.Span{
	"containerLogMaxWorkers":                 {From: "1.30"},
	"containerLogMonitorInterval":            {From: "1.30"},
	"crashLoopBackOff":                       {From: "1.32"},
	"defaultPodSysctls":                      {From: "1.37"},
	"failCgroupV1":                           {From: "1.31"},
	"imagePullCredentialsVerificationPolicy": {From: "1.33"},
	"memoryReservationPolicy":                {From: "1.36"},
	"mergeDefaultEvictionSettings":           {From: "1.33"},
	"podLogsDir":                             {From: "1.30"},
	"preloadedImagesVerificationAllowlist":   {From: "1.33"},
	"singleProcessOOMKill":                   {From: "1.32"},
	"tlsCurvePreferences":                    {From: "1.36"},
	"userNamespaces":                         {From: "1.33"},
}

// hasField reports whether the KubeletConfiguration of a release has a field.
func hasField(release, name string) bool {
	if span, ok := newFields[name]; ok {
		return span.Has(release)
	}
	for field := range strings.FieldsSeq(oldFields) {
		if field == name {
			return true
		}
	}
	return false
}
