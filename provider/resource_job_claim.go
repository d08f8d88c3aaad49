package provider

// claim notes which job the resource stands for. Another resource of the same
// job is an error. The second call for a replacement claims nothing again.
func (p *jobPlan) claim() {
	before := stringOr(attributesOf(p.prior)["framework_name"], "")
	switch {
	case before != "" && before != p.d.resolved.Framework:
		p.claimAs(before, endsJob)
		p.claimAs(p.d.resolved.Framework, createsJob)
	case before != "":
		p.claimAs(before, keepsJob)
	case p.replacing == "":
		p.claimAs(p.d.resolved.Framework, createsJob)
	}
}

func (p *jobPlan) claimAs(framework string, u use) {
	if p.nameKnown() && !p.conn.names.claim(framework, u) {
		reportSameJob(p.diags, p.d.job.Name)
	}
}

// nameKnown reports whether it is known which job the resource is.
func (p *jobPlan) nameKnown() bool {
	return !p.d.isUnknown(p.d.job.Path.Attr("name")) && p.conn.userKnown()
}

// isNew reports whether no state has the job: neither that of the resource nor,
// for a tainted one, the one that Terraform read.
func (p *jobPlan) isNew() bool {
	framework := p.d.resolved.Framework
	before := stringOr(attributesOf(p.prior)["framework_name"], p.replacing)
	return p.nameKnown() && before != framework && p.conn.names.isNew(framework)
}
