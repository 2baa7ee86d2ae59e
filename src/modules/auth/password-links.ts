import { createHmac, timingSafeEqual } from 'node:crypto'
import { isId, type Clock } from '../../platform/db/clock.js'
import { isCenterInUseSql } from '../../platform/db/archived-centers.js'
import type { Sql } from '../../platform/db/database.js'
import { Unprocessable } from '../../platform/errors.js'
import { isPasswordOffSql, passwordLoginOff } from '../sign-in-policy/password-login.js'

/** The action that a link allows its holder: finish a registration (2.2, `invite`), or choose another password. */
export type LinkPurpose = 'invitation' | 'reset'

export interface LinkUser {
  id: string
  email: string
  role: string
  status: string
  password_hash: string | null
  /** Signs in by a provider only, and chooses no password. */
  is_password_off: boolean
}

interface PurposeRule {
  seconds: number
  /** Path of the console, followed by `#` and the token. */
  path: string
  fits: (user: LinkUser) => boolean
}

const RULES: Readonly<Record<LinkPurpose, PurposeRule>> = {
  invitation: {
    seconds: 7 * 24 * 60 * 60,
    path: '/console/invitation',
    fits: ({ status }) => status === 'invited',
  },
  reset: {
    seconds: 60 * 60,
    path: '/console/reset',
    fits: ({ status }) => status === 'active' || status === 'queued',
  },
}

const TOKEN_CHARS_MAX = 200
/** Id of the user, seconds since 1970, and the signature: 32 bytes in base64url. */
const TOKEN = /^([0-9a-f-]{36})\.([1-9][0-9]*)\.([\w-]{43})$/
const COLUMNS = `id, email, role, status, password_hash, ${isPasswordOffSql('u')} as is_password_off`

/**
 * Links by which users choose a password: signed, and bound to the user's email and password hash, so that one works once
 * and dies when either changes. Nothing of them is stored.
 */
export class PasswordLinks {
  constructor(private readonly options: { sql: Sql; secret: Uint8Array; clock: Clock; publicUrl: string }) {}

  /**
   * Returns the kind of link that the user has at present; null for a bot, which reads no mail, and for an
   * archived user.
   */
  purposeFor(user: LinkUser): LinkPurpose | null {
    if (user.role === 'bot') return null
    return RULES.invitation.fits(user) ? 'invitation' : RULES.reset.fits(user) ? 'reset' : null
  }

  /** Address at which whoever chooses no password signs in. */
  get signInUrl(): string {
    return `${this.options.publicUrl}/console`
  }

  linkFor(user: LinkUser, purpose: LinkPurpose): { url: string; expiresAt: Date } {
    const { seconds, path } = RULES[purpose]
    const expires = Math.floor(this.options.clock.now().getTime() / 1_000) + seconds
    const token = `${user.id}.${expires}.${this.#sign(user, purpose, expires).toString('base64url')}`
    // Behind #, so that no server's log gets the token.
    return { url: `${this.options.publicUrl}${path}#${token}`, expiresAt: new Date(expires * 1_000) }
  }

  /** Finds a user, unless its contact center is archived. */
  async find(id: string): Promise<LinkUser | undefined> {
    const [user] = await this.options.sql.query<LinkUser>(
      `select ${COLUMNS} from app_user u where id = $1 and ${isCenterInUseSql('u')}`,
      [id],
    )
    return user
  }

  async findByEmail(email: string): Promise<LinkUser | undefined> {
    const [user] = await this.options.sql.query<LinkUser>(
      `select ${COLUMNS} from app_user u where lower(email) = lower($1) and ${isCenterInUseSql('u')}`,
      [email],
    )
    return user
  }

  /** @throws Unprocessable for a token that is none, has expired or was used; Forbidden for who signs in by a provider only */
  async check(token: string, purpose: LinkPurpose): Promise<LinkUser> {
    // The whole token: nothing may follow, and each part has one spelling.
    const [, id, expires, signature] = token.length < TOKEN_CHARS_MAX ? (TOKEN.exec(token) ?? []) : []
    const user = isId(id) ? await this.find(id) : undefined
    const given = Buffer.from(signature ?? '', 'base64url')
    const expected = user && this.#sign(user, purpose, Number(expires))
    const isSigned = expected?.length === given.length && timingSafeEqual(expected, given)
    const isInTime = Number(expires) * 1_000 > this.options.clock.now().getTime()
    if (!user || !isSigned || !isInTime || this.purposeFor(user) !== purpose) throw invalidLink(purpose)
    // Whoever has the link knows the account.
    if (user.is_password_off) throw passwordLoginOff()
    return user
  }

  #sign({ id, email, password_hash: hash }: LinkUser, purpose: LinkPurpose, expires: number): Buffer {
    const signed = [id, expires, email, hash]
    return createHmac('sha256', this.options.secret)
      .update(JSON.stringify(purpose === 'invitation' ? signed : [purpose, ...signed]))
      .digest()
  }
}

export function invalidLink(purpose: LinkPurpose): Unprocessable {
  const name = purpose === 'invitation' ? 'the invitation' : 'the link for a new password'
  return new Unprocessable(`${name} was used, has expired or is none`, { reason: 'LINK_INVALID', field: 'token' })
}
