// SPDX-License-Identifier: Apache-2.0

@_exported public import NapkinTestingEngine

/// Takes control of the runtime, and sets the engine's hooks for napkins; `Constructor.c` calls it before `main`.
@c(napkin_install_seam)
package func installSeam() {
  Seam.install()
  ExecutionHooks.set(ExecutionHooks(begin: TreeWatch.begin))
  MisuseReporter.install()
  DefaultsOfExecutions.install()
}
