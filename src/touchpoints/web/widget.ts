import type { Sql } from '../../db/database.js'
import { GuestOrigins } from './guest-origins.js'
import { readWidgetSettings, type WidgetSettings } from './widget-settings.js'

/** What the web widget needs from the server in addition to a guest's operations. */
export interface Widget {
  guestOrigins: GuestOrigins
  readSettings(service: string, origin: string | null): Promise<WidgetSettings>
}

export function openWidget(sql: Sql): Widget {
  return {
    guestOrigins: new GuestOrigins(sql),
    readSettings: (service, origin) => readWidgetSettings(sql, service, origin),
  }
}
