// Runs a TypeScript file from its sources, in a process of its own: `node typescript-process.mjs src/main.ts`.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import './typescript-loader.js'

// The file sees the arguments that it would see if it were run itself.
process.argv.splice(1, 1)
await import(pathToFileURL(resolve(process.argv[1])).href)
