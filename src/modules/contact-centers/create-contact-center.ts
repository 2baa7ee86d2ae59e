import type { Context } from '../../platform/context.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact } from '../../platform/events/transact.js'
import { isAbsent, parseText } from '../../platform/input.js'
import { insertCenter, setFirstOwner } from '../organizations/center-rows.js'
import { eventOf as centerEventOf } from '../organizations/organization-events.js'
import { Organization } from '../organizations/organization.js'
import { parseName } from '../organizations/organization-input.js'
import { insertOwned } from '../organizations/owned-record.js'
import { NO_CREDENTIALS, NO_PROFILE } from '../users/insert-user.js'
import { parseEmail } from '../users/user-input.js'
import { addInvitation } from '../users/user-jobs.js'
import { eventOf, withUniqueEmail } from '../users/user-rules.js'
import { User } from '../users/user.js'
import type { ContactCenter } from './contact-center.js'
import { readQuotas, type CreateContactCenterInput } from './contact-center-input.js'
import { fetchCenter } from './contact-center-list.js'
import { storeQuotas } from './update-contact-center.js'

const NAME_CHARS_MAX = 200

/**
 * Creates a contact center with its owner, who is invited and chooses a password by the invitation's link. Nothing else is
 * in it: without workflows, all channels of an organization are notified (3.4).
 * @throws BadUserInput, Unprocessable for an email in use
 */
export async function createContactCenter(
  ctx: Context,
  transact: Transact,
  { name, ownerEmail, ownerName, quotas }: CreateContactCenterInput,
): Promise<ContactCenter> {
  const parsed = {
    name: parseName(name, 'name'),
    email: parseEmail(ownerEmail, 'ownerEmail'),
    displayName: isAbsent(ownerName) ? null : parseText(ownerName, 'ownerName', { max: NAME_CHARS_MAX }),
    quotas: readQuotas(quotas ?? {}),
  }
  const create = (): Promise<ContactCenter> =>
    transact(ctx, async (tx) => {
      const { id: center } = await insertCenter(tx, ctx.clock, parsed.name)
      const owner = await insertOwned(ctx, tx, User, {
        ...NO_PROFILE,
        ...NO_CREDENTIALS,
        path: [center],
        email: parsed.email,
        displayName: parsed.displayName,
        role: 'owner',
        status: 'invited',
        provider: 'local',
      })
      await setFirstOwner(tx, center, owner.id)
      await storeQuotas(tx, center, parsed.quotas)
      addInvitation(tx, owner.id)
      const organization = await tx.em.findOneOrFail(Organization, { id: center }, { filters: { tenant: false } })
      tx.emit(organizationStream(center), 'organization.created', centerEventOf(organization))
      tx.emit(organizationStream(center), 'user.created', eventOf(owner))
      return fetchCenter(tx, center)
    })
  const made = await withUniqueEmail(parsed.email, create, 'ownerEmail')
  ctx.log.info({ center: made.id, requestId: ctx.requestId }, 'contact center created')
  return made
}
