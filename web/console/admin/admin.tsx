import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import NoPage from '../no-page.js'
import { Lazy } from '../lazy.js'
import { route } from '../route.js'
import { Articles } from './articles.js'
import { Audit } from './audit.js'
import { CannedResponses } from './canned-responses.js'
import { Channels } from './channels.js'
import { Forms } from './forms.js'
import { HealthPage } from './health.js'
import { Hours } from './hours.js'
import { Labels } from './labels.js'
import { Macros } from './macros.js'
import { Mailboxes } from './mailboxes.js'
import { Organizations } from './organizations.js'
import { Overview } from './overview.js'
import { Services } from './services.js'
import { Staffing } from './staffing.js'
import { Users } from './users.js'
import { Webhooks } from './webhooks.js'
import { useAdminWords, words } from './words.js'

/** With the editor of rules, which is a page of its own size. */
const Workflows = () => <Lazy load={() => import('./workflows.js')} />
/** Few open it, and it has texts of its own. */
const SignIn = () => <Lazy load={() => import('./sign-in/sign-in.js')} />

const Privacy = () => <Lazy load={() => import('./privacy/privacy.js')} />

const SECTIONS: Readonly<Record<keyof typeof words.sections, { icon: string; Page: FunctionComponent }>> = {
  overview: { icon: 'check', Page: Overview },
  users: { icon: 'user', Page: Users },
  staffing: { icon: 'clock', Page: Staffing },
  hours: { icon: 'clock', Page: Hours },
  channels: { icon: 'queue', Page: Channels },
  organizations: { icon: 'build', Page: Organizations },
  workflows: { icon: 'route', Page: Workflows },
  forms: { icon: 'form', Page: Forms },
  articles: { icon: 'file', Page: Articles },
  canned: { icon: 'canned', Page: CannedResponses },
  labels: { icon: 'tag', Page: Labels },
  macros: { icon: 'macro', Page: Macros },
  services: { icon: 'web', Page: Services },
  health: { icon: 'check', Page: HealthPage },
  mailboxes: { icon: 'mail', Page: Mailboxes },
  webhooks: { icon: 'hook', Page: Webhooks },
  signIn: { icon: 'keys', Page: SignIn },
  privacy: { icon: 'lock', Page: Privacy },
  audit: { icon: 'eye', Page: Audit },
}

type Name = keyof typeof SECTIONS

/** Pages on which administrators set things up. */
export default function Admin() {
  const shown = route.value
  const [given = ''] = shown.page === 'admin' ? shown.rest.split('/') : []
  const name = given === '' ? 'overview' : Object.hasOwn(SECTIONS, given) ? (given as Name) : null
  const Page = name ? SECTIONS[name].Page : NoPage
  const isLoaded = useAdminWords()
  useEffect(() => {
    if (name) document.title = `${words.sections[name]} · ${t().app}`
  }, [name, words.title])
  // Nothing is shown in one language and then in another.
  if (!isLoaded) return <main class="col" id="main" tabIndex={-1} aria-busy="true" />
  return (
    <>
      <nav class="col subnav" aria-label={words.title}>
        <h2>{words.title}</h2>
        {(Object.keys(SECTIONS) as Name[]).map((each) => (
          <a
            key={each}
            href={each === 'overview' ? '/console/admin' : `/console/admin/${each}`}
            aria-current={each === name ? 'page' : undefined}
          >
            <Icon name={SECTIONS[each].icon} />
            {words.sections[each]}
          </a>
        ))}
      </nav>
      <Page key={name} />
    </>
  )
}
