import type { PasswordLinks } from '../auth/password-links.js'
import type { SignInLink } from '../auth/sign-in-link.js'
import type { ContactCenter } from './contact-center.js'

/**
 * Returns the link of the first owner's invitation until it is accepted: later there may be something in the contact
 * center, of which the operator sees nothing.
 */
export async function invitationOf(links: PasswordLinks, { invitedId }: ContactCenter): Promise<SignInLink | null> {
  const owner = invitedId === null ? undefined : await links.find(invitedId)
  return owner?.password_hash === null && links.purposeFor(owner) === 'invitation'
    ? links.linkFor(owner, 'invitation')
    : null
}
