import { ServiceTestFailed } from '../services/service-test.js'
import { DeliveryFailed, DeliveryRefused, DeliveryUnknown } from './adapter.js'

/** Runs a test by the means of deliveries. @throws ServiceTestFailed where they fail */
export async function asTestFailure(run: () => Promise<string>): Promise<string> {
  try {
    return await run()
  } catch (error) {
    const isTold = [DeliveryRefused, DeliveryFailed, DeliveryUnknown].some((kind) => error instanceof kind)
    throw isTold ? new ServiceTestFailed((error as Error).message) : error
  }
}
