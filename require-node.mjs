// Begins the commands of package.json: on an older Node, what it says first is what to do. It runs on any Node with modules.
import { readFileSync } from 'fs'

const wanted = readFileSync(new URL('.nvmrc', import.meta.url), 'utf8').trim()
const major = wanted.split('.')[0]
if (Number(process.versions.node.split('.')[0]) < Number(major)) {
  process.stderr.write(
    'Switchboard needs Node ' + major + ', and this is Node ' + process.versions.node + ' (' + process.execPath + '): ' +
      'run npm ci, which brings it on Linux and on Windows with x64, or install Node ' + wanted + ', as by nvm install.\n',
  )
  process.exit(1)
}
