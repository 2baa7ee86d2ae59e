import type { Module } from '../../platform/module.js'
import type { Dispatcher } from '../../platform/events/dispatcher.js'
import { sinceNews } from '../../platform/maintenance/since-news.js'
import type { MaintenanceOptions } from '../../platform/maintenance/maintenance.js'
import { createSearchMaintenance } from './search-maintenance.js'
import { SearchResolver } from './search-resolver.js'

/** Builds the search, and the maintenance of its indexes. */
export function openSearchModule({
  clock,
  database,
  dispatcher,
  log,
}: Omit<MaintenanceOptions, 'tasks'> & { dispatcher: Dispatcher }): Module {
  const maintenance = createSearchMaintenance({ clock, database, log, isNeeded: sinceNews(dispatcher) })
  return {
    resolvers: [new SearchResolver()],
    start: () => maintenance.start(),
    stop: () => maintenance.stop(),
  }
}
