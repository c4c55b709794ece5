/* Which CPUs share a core, a die, a package, a memory node. */
#ifndef HOST_TOPOLOGY_H
#define HOST_TOPOLOGY_H

#include "host/facts.h"

/* Fills the CPU and node fields of facts from sysfs; what is not there stays absent. 0 or -ENOMEM. */
int host_topology(struct host_facts *facts, const char *sysfs) _must_check_;

#endif
