import type { FastifyInstance } from 'fastify'

/** Links of invitations that were mailed before the console had a page for them; browsers keep what stands behind `#`. */
export function addInvitationPage(app: FastifyInstance): void {
  app.get('/invitation', (_request, reply) => reply.redirect('/console/invitation'))
}
