import { address } from '../../shared/router.js'
import { Icon } from '../../shared/ui/icon.js'
import type { SignInProvider } from './use-providers.js'
import { words } from './words.js'

interface ProviderLinksProps {
  providers: readonly SignInProvider[]
  email: string
  /** Goes there, in place of the link. */
  go(provider: SignInProvider): void
}

/** The ways to sign in besides the password. They stand below it, so that nothing moves under the pointer when they appear. */
export function ProviderLinks({ providers, email, go }: ProviderLinksProps) {
  return (
    <>
      <p class="vh" role="status">
        {providers.length > 0 && words.offered(providers.length)}
      </p>
      {providers.length > 0 && (
        <div class="stack" id="providers">
          <p class="day">{words.or}</p>
          {providers.map((provider) => (
            <a
              key={provider.id}
              class="btn big"
              href={startUrl(provider, email)}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
                event.preventDefault()
                go(provider)
              }}
            >
              <Icon name="lock" />
              <bdi>{words.by(provider.name)}</bdi>
            </a>
          ))}
        </div>
      )}
    </>
  )
}

/** Address of the beginning: with the email, which the provider fills in, and the page to which the sign-in leads. */
export function startUrl({ url }: SignInProvider, email: string): string {
  return `${url}?${new URLSearchParams({ hint: email.trim(), page: pageOf(address.value) })}`
}

const PAGE_CHARS_MAX = 500

/** The page as the server takes it: letters that it does not know are encoded; of one that is too long, the path. */
function pageOf(page: string): string {
  const plain = page.replaceAll(/[^\w\-./?=&%:+~,!$'()*;@]/g, encodeURIComponent)
  return plain.length <= PAGE_CHARS_MAX && !plain.includes('//') ? plain : '/console'
}
