import { SignJWT } from 'jose'
import { SIGNING_ALGORITHM, SigningKey } from './signing-key.js'

export const LINK_TOKEN_SECONDS = 5 * 60

export interface LinkTokensOptions {
  /** 32 random bytes, the same on every node and across restarts. */
  secret: Uint8Array
  /** The server's public address, where the key set is published. */
  issuer: string
  now: () => Date
  newId: () => string
}

/** The user who opens a link, and the target site. */
export interface LinkSubject {
  user: string
  organization: string
  /** Origin of the site: `https://crm.example.com`. */
  audience: string
}

/**
 * Tokens for `{authtoken}` in links (4.7, rule 7), which identify the agent to one other site, for five minutes. Each
 * has that site as its audience, and the key has no other use: the site can verify it by the published key set but
 * cannot use it at another site, and this server's API does not accept it.
 */
export class LinkTokens {
  readonly #key: SigningKey

  constructor(private readonly options: LinkTokensOptions) {
    this.#key = new SigningKey(options.secret)
  }

  get public(): SigningKey['public'] {
    return this.#key.public
  }

  async sign({ user, organization, audience }: LinkSubject): Promise<string> {
    const { issuer, now, newId } = this.options
    const iat = Math.floor(now().getTime() / 1_000)
    const times = { iat, exp: iat + LINK_TOKEN_SECONDS }
    const { kid } = await this.#key.public
    return new SignJWT({ organization, sub: user, iss: issuer, aud: audience, jti: newId(), ...times })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'JWT', kid })
      .sign(this.#key.private)
  }
}
