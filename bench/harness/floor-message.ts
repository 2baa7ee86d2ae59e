interface FloorMessage {
  id: string
  role: 'agent' | 'contact'
  organization: string
  conversation: string
  position: number
  user: string
  text: string
}

/** The place of a record in the tenant tree and in its conversation. */
export function floorPlace({ organization, conversation }: Pick<FloorMessage, 'organization' | 'conversation'>) {
  return { organizationId: organization, org1: organization, org2: null, org3: null, conversationId: conversation }
}

/** The row of a chat message as the product's send writes it, for what writes the same by bare `pg`. */
export function floorMessage(message: FloorMessage, at: Date) {
  const { id, role, position, user, text } = message
  return {
    id,
    ...floorPlace(message),
    position,
    type: 'chat',
    role,
    isBackchannel: false,
    userId: user,
    contentType: 'text/plain',
    text,
    serviceId: null,
    touchpoint: null,
    actions: null,
    items: null,
    meta: null,
    likes: [],
    comments: [],
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
}
