import { render } from 'preact'
import { startRouter } from '../shared/router.js'
import { Session } from '../shared/session.js'
import { startTheme } from '../shared/ui/theme.js'
import { App } from './app.js'
import { startLocale } from './settings/locale.js'
import { keptDensity, setDensity } from './settings/density.js'

startTheme()
setDensity(keptDensity())
startRouter('/console')
await startLocale()
render(<App session={new Session()} />, document.querySelector('#root')!)
