import './typescript-loader.js'

export default async function globalSetup() {
  const { startServices } = await import('./services.ts')
  await startServices()
}
