import type { Credentials } from '../users/credentials.js'
import { apiTokenHash } from './authenticator.js'
import { parsePassword, type PasswordHasher } from './passwords.js'
import type { TokenSigner } from './tokens.js'

export function createCredentials(hasher: PasswordHasher, signer: TokenSigner): Credentials {
  return {
    hashPassword: (password, field) => hasher.hash(parsePassword(password, field)),
    async mintApiToken(subject) {
      const { token, jti } = await signer.signApi(subject)
      return { token, id: jti, hash: apiTokenHash(token) }
    },
  }
}
