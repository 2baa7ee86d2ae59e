import { render } from 'preact'
import { startRouter } from '../shared/router.js'
import { Session } from '../shared/session.js'
import { startTheme } from '../shared/ui/theme.js'
import { App } from './app.js'
import { startLocale } from './locale.js'
import { keptDensity, setDensity } from './settings/density.js'

// Asked at once: all else waits for the answer, which comes while the page is being made.
const session = new Session()
void session.resume().catch(() => undefined)
startTheme()
setDensity(keptDensity())
startRouter('/console')
await startLocale()
render(<App session={session} />, document.querySelector('#root')!)
