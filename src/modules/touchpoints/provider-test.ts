import type { CheckCode } from '../services/service-check.js'
import type { ServiceFindings } from '../services/service-kinds.js'
import { ServiceTestFailed } from '../services/service-test.js'
import { DeliveryFailed, DeliveryRefused, DeliveryUnknown, ParamsUnusable, ServiceRefused } from './adapter.js'

/** Runs a test by the means of deliveries. @throws ServiceTestFailed where they fail */
export async function asTestFailure<Found extends string | ServiceFindings>(run: () => Promise<Found>): Promise<Found> {
  try {
    return await run()
  } catch (error) {
    const code = codeOf(error)
    throw code === null ? error : new ServiceTestFailed((error as Error).message, code)
  }
}

function codeOf(error: unknown): CheckCode | null {
  if (error instanceof ServiceRefused) return 'token'
  if (error instanceof ParamsUnusable) return 'settings'
  if (error instanceof DeliveryRefused) return 'refused'
  return error instanceof DeliveryFailed || error instanceof DeliveryUnknown ? 'unreachable' : null
}
