import type { Module } from '../module.js'
import type { MaintenanceOptions } from '../maintenance/maintenance.js'
import { createSearchMaintenance } from './search-maintenance.js'
import { SearchResolver } from './search-resolver.js'

/** Builds the search, and the maintenance of its indexes. */
export function openSearchModule({ clock, database, log }: Omit<MaintenanceOptions, 'tasks'>): Module {
  const maintenance = createSearchMaintenance({ clock, database, log })
  return {
    resolvers: [new SearchResolver()],
    start: () => maintenance.start(),
    stop: () => maintenance.stop(),
  }
}
