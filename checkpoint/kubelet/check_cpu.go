package kubelet

func checkCPU(content any, add func(Finding))       {}
func checkMemory(content any, add func(Finding))    {}
func checkDevice(content any, add func(Finding))    {}
func checkDRA(content any, add func(Finding))       {}
func checkAllocated(content any, add func(Finding)) {}
func typeDamage(err error, f *format) *Damage {
	return &Damage{Reason: DamageType, Error: words(err, f.names)}
}
