import { useEffect } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { LIVE, route } from '../route.js'
import { useStore } from '../store/console-store.js'
import { Mine } from './mine.js'
import { Numbers } from './numbers.js'
import { Wallboard } from './wallboard.js'
import { useAdminWords } from '../admin/words.js'
import { useReportWords, words } from './words.js'

const SECTIONS = {
  numbers: { icon: 'chart', href: '/console/reports', Page: Numbers },
  wallboard: { icon: 'board', href: LIVE, Page: Wallboard },
  mine: { icon: 'mine', href: '/console/reports/mine', Page: Mine },
} as const
type SectionName = keyof typeof SECTIONS

const OF_SUPERVISORS: readonly SectionName[] = ['numbers', 'wallboard', 'mine']
const OF_AGENTS: readonly SectionName[] = ['mine']

/** The supervisors' pages, numbers of the past and the conversations that wait now, and everybody's own figures. */
export default function Reports() {
  const store = useStore()
  const shown = route.value
  const names = store.supervises ? OF_SUPERVISORS : OF_AGENTS
  const rest = shown.page === 'reports' ? shown.rest : ''
  const name = names.find((each) => each === rest) ?? names[0]!
  const { Page } = SECTIONS[name]
  const isLoaded = useReportWords()
  const isAdminLoaded = useAdminWords()
  useEffect(() => {
    document.title = `${words.sections[name]} · ${t().app}`
  }, [name, words.title])
  // Whom an agent supervises is not known before the channels are.
  const isKnown = store.isAdmin || store.organization.ownChannels.value !== null
  if (!isLoaded || !isAdminLoaded || !isKnown) return <main class="col" id="main" tabIndex={-1} aria-busy="true" />
  return (
    <>
      <nav class="col subnav" aria-label={words.title}>
        <h2>{words.title}</h2>
        {names.map((each) => (
          <a key={each} href={SECTIONS[each].href} aria-current={each === name ? 'page' : undefined}>
            <Icon name={SECTIONS[each].icon} />
            {words.sections[each]}
          </a>
        ))}
      </nav>
      <Page key={name} />
    </>
  )
}
