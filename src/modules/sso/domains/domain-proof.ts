import { createHmac } from 'node:crypto'
import type { Domain, DomainRecord } from './domain.js'

const HEX_CHARS = 40

/**
 * Makes the records by which organizations prove their domains: a text that only the owner of the domain can publish, and that is
 * of one organization alone. Nothing of it is stored.
 */
export class DomainProof {
  /** @param secret of the installation */
  constructor(private readonly secret: Uint8Array) {}

  recordOf({ name, organizationId }: Pick<Domain, 'name' | 'organizationId'>): DomainRecord {
    const mac = createHmac('sha256', this.secret).update(`domain\n${organizationId}\n${name}`).digest('hex')
    return { name: `_switchboard.${name}`, value: `switchboard-domain=${mac.slice(0, HEX_CHARS)}` }
  }
}
