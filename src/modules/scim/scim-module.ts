import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Config } from '../../platform/config.js'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import type { Module } from '../../platform/module.js'
import type { Providers } from '../sso/providers.js'
import { SCIM_RIGHTS } from '../sso/provisioning.js'
import { givingGroupRights } from './give-group-rights.js'
import type { FourEyesGuard } from '../four-eyes/four-eyes-guard.js'
import { ScimResolver } from './scim-resolver.js'
import { ScimServer } from './scim-server.js'

export interface ScimDependencies {
  config: Pick<Config, 'publicUrl'>
  transact: Transact
  accessChanges: AccessChanges
  jobs: JobRunner
  providers: Providers
  systemContext: (requestId: string) => Context
  fourEyes: FourEyesGuard
}

export interface ScimModule extends Module {
  /** Answers providers, for their routes. */
  scim: ScimServer
}

/** Builds the provisioning of users and groups by providers (SCIM 2.0). */
export function openScimModule({
  config: { publicUrl },
  jobs,
  fourEyes,
  ...dependencies
}: ScimDependencies): ScimModule {
  jobs.register(SCIM_RIGHTS, { handler: givingGroupRights(dependencies) })
  return {
    scim: new ScimServer({ ...dependencies, publicUrl }),
    resolvers: [new ScimResolver({ transact: dependencies.transact, publicUrl }, fourEyes)],
  }
}
