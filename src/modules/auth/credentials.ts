import type { Credentials } from '../users/credentials.js'
import { apiTokenHash } from './authenticator.js'
import type { LoginThrottle } from './login-throttle.js'
import { readRulesOfPath } from '../sign-in-policy/sign-in-rules.js'
import { parseNewPassword } from './new-password.js'
import { PASSWORD_CHARS_MAX, type PasswordHasher } from './passwords.js'
import type { TokenSigner } from './tokens.js'

export interface CredentialsDependencies {
  hasher: PasswordHasher
  signer: TokenSigner
  throttle: LoginThrottle
}

export function createCredentials({ hasher, signer, throttle }: CredentialsDependencies): Credentials {
  return {
    async hashPassword(ctx, password, field, { path, names }) {
      return hasher.hash(parseNewPassword(password, field, await readRulesOfPath(ctx.reads, path), names))
    },
    async checkPassword(ctx, { id, passwordHash }, password) {
      // Counted separately from sign-ins: the thief of a session must not lock its owner out by guessing.
      const guess = { account: `present password of ${id}`, address: ctx.address }
      await throttle.check(guess)
      const isRight = await hasher.verify(passwordHash, password.length > PASSWORD_CHARS_MAX ? '' : password)
      if (isRight) await throttle.succeeded(guess)
      return isRight
    },
    async mintApiToken(subject) {
      const { token, jti } = await signer.signApi(subject)
      return { token, id: jti, hash: apiTokenHash(token) }
    },
  }
}
