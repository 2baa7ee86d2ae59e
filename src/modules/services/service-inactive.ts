import type { Service } from './service.js'
import { Unprocessable } from '../../platform/errors.js'

/** The refusal of what only an active service does. */
export function serviceInactive({ id, status }: Pick<Service, 'id' | 'status'>): Unprocessable {
  return new Unprocessable(`service ${id} is inactive: activate it`, { reason: 'SERVICE_INACTIVE', status })
}
