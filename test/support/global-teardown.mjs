export default async function globalTeardown() {
  const { endServices } = await import('./services.ts')
  await endServices()
}
