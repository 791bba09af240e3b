package kubelet

import "github.com/kubeckpt/ckpt/checksum"

type draUID string

// draNames are the types that several versions share.
var draNames = checksum.Merge(
	checksum.Name[draUID]("types.UID"),
	checksum.Name[NameSet]("sets.Set[string]"),
	checksum.Name[Member]("sets.Empty"),
)

var draV3Names = checksum.Merge(draNames,
	draV3NamesOf[draDriver131](), draV3NamesOf[draDriver135](), draV3NamesOf[draDriver137](),
	checksum.Name[draV3]("state.Checkpoint"),
	checksum.Name[draV3TypeMeta]("v1.TypeMeta"),
	checksum.Name[draDevice131]("state.Device"),
	checksum.Name[draDevice135]("state.Device"),
	checksum.Name[draSkip]("v1.SkipNodeOperation"),
)

func draV3NamesOf[D any]() checksum.Names {
	return checksum.Merge(
		checksum.Name[draV3Data[D]]("state.CheckpointData"),
		checksum.Name[draV3Claims[D]]("state.ClaimInfoStateList"),
		checksum.Name[draV3Claim[D]]("state.ClaimInfoState"),
		checksum.Name[D]("state.DriverState"),
	)
}

var draTable = kindTable{
	kind:    DRA,
	formats: []*format{draV3Format, draV2Format, draV1Format},
	paths: []path{
		{span: Span{"1.27", "1.29"}, attempts: []attempt{{
			format: draV1Format, types: checksum.Name[draV1]("state.DRAManagerCheckpoint"),
			sums: []string{"state.DRAManagerCheckpoint", draBareName},
		}}},
		{span: Span{"1.30", "1.30"}, attempts: []attempt{{
			format: draV2Format, types: checksum.Name[draV2]("state.DRAManagerCheckpoint"),
			sums: []string{"state.DRAManagerCheckpoint", draBareName},
		}}},
		{span: Span{"1.31", "1.34"}, attempts: []attempt{{
			format: draV3Format, sums: []string{"string"}, content: draV3Content(draDriver131.state), limit: draV3Limit(draDriver131Of),
		}}},
		{span: Span{"1.35", "1.36"}, attempts: []attempt{{
			format: draV3Format, sums: []string{"string"}, content: draV3Content(draDriver135.state), limit: draV3Limit(draDriver135Of),
		}}},
		{span: Span{From: "1.37"}, attempts: []attempt{{format: draV3Format, sums: []string{"string"}}}},
	},
	refusal: func(r reader, file, err string) string {
		return "failed to get checkpoint dra_manager_state: " + err
	},
	bareContent: true,
	restore:     func(content any, r reader, env *environment) (any, *refusal) { return content, nil },
	convert:     convertDRA,
	members:     draMembers,
	check:       checkDRA,
}
