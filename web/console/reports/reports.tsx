import { useEffect } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { route } from '../route.js'
import { Numbers } from './numbers.js'
import { Wallboard } from './wallboard.js'
import { useAdminWords } from '../admin/words.js'
import { useReportWords, words } from './words.js'

const SECTIONS = {
  numbers: { icon: 'chart', href: '/console/reports', Page: Numbers },
  wallboard: { icon: 'board', href: '/console/reports/wallboard', Page: Wallboard },
} as const

/** What supervisors look at: numbers of the past, and what waits now. */
export default function Reports() {
  const shown = route.value
  const name = shown.page === 'reports' && shown.rest === 'wallboard' ? 'wallboard' : 'numbers'
  const { Page } = SECTIONS[name]
  const isLoaded = useReportWords()
  const isAdminLoaded = useAdminWords()
  useEffect(() => {
    document.title = `${words.sections[name]} · ${t().app}`
  }, [name, words.title])
  if (!isLoaded || !isAdminLoaded) return <main class="col" id="main" tabIndex={-1} aria-busy="true" />
  return (
    <>
      <nav class="col subnav" aria-label={words.title}>
        <h2>{words.title}</h2>
        {(['numbers', 'wallboard'] as const).map((each) => (
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
