import type { Switchboard } from '@switchboard/client'
import {
  AcceptConversationDocument,
  CreateConversationDocument,
  LeaveConversationDocument,
  type CreateConversationInput,
  type MessageInput,
} from '@switchboard/client/documents'
import type { Account } from './office.js'

interface Cast {
  /** Speaks for the consumers. */
  bot: Switchboard
  organization: string
  ann: Account
  bob: Account
}

interface Story {
  name: string
  email?: string
  telephone?: string
  touchpoint: 'WEB' | 'EMAIL' | 'SMS'
  category?: string
  says: string
  /** Continues the scene. */
  then?: (scene: Scene) => Promise<void>
}

interface Scene {
  conversation: string
  send(by: Switchboard, message: MessageInput): Promise<void>
  consumer(text: string): Promise<void>
  ann: Account
  bob: Account
  bot: Switchboard
}

/** Holds the conversations: some wait, Ann and Bob are in some, some are closed. */
export async function holdConversations({ bot, organization, ann, bob }: Cast): Promise<void> {
  for (const [index, story] of STORIES.entries()) {
    const { name, touchpoint, says, category } = story
    const profile = {
      name,
      email: story.email ?? `consumer${index}.${organization.slice(-6)}@example.com`,
      ...(story.telephone && { telephone: story.telephone }),
    }
    const input: CreateConversationInput = {
      organization,
      type: 'CONTACT',
      contact: { profile },
      touchpoint,
      messages: [{ role: 'CONTACT', text: says }],
    }
    const { createConversation } = await bot.request(CreateConversationDocument, { input })
    const conversation = createConversation.id
    const send = async (by: Switchboard, message: MessageInput): Promise<void> =>
      void (await by.sendMessage(conversation, message))
    if (category) await send(ann.client, { type: 'COMMAND', text: `/set @category ${category}` })
    await story.then?.({ conversation, send, consumer: (text) => send(bot, { role: 'CONTACT', text }), ann, bob, bot })
  }
}

async function accept({ conversation }: Scene, { client }: Account): Promise<void> {
  await client.request(AcceptConversationDocument, { conversation })
}

function replies(...texts: string[]): MessageInput['actions'] {
  return texts.map((text) => ({ type: 'REPLY', text, payload: text }))
}

const STORIES: readonly Story[] = [
  {
    name: 'Konstantina Papadimitriou-Wijeratne van den Heuvel',
    touchpoint: 'WEB',
    category: 'Engine',
    says: 'The temperature alarm went off on the way in. I am moored at pier C now, engine is off.',
    then: async (scene) => {
      const { send, consumer, ann, bob, bot } = scene
      await send(bot, {
        role: 'BOT',
        text: 'Welcome to Harbour Boats. What is it about?',
        actions: replies('Engine', 'Winter berth', 'Something else'),
      })
      await accept(scene, ann)
      await send(ann.client, { role: 'AGENT', text: 'Good that you stopped. Which engine is it?' })
      await consumer('A Yanmar 4JH45, of 2016. I let it cool and tried once more.')
      await send(bob.client, {
        role: 'AGENT',
        isBackchannel: true,
        text: 'Crane 2 is out until Thursday. The impeller for a 4JH45 is on shelf B4.',
      })
      await send(ann.client, {
        type: 'CARD',
        role: 'AGENT',
        text: 'Crane, cooling system, impeller, sea trial. About two hours.',
        meta: { title: 'Lift-out and engine check' },
        actions: [{ type: 'LINK', text: 'See the details', uri: 'https://harbourboats.example/lift-out' }],
      })
      await send(ann.client, {
        role: 'AGENT',
        text: 'We can lift her out tomorrow or Friday. Which suits you?',
        actions: replies('Thursday 09:30', 'Friday 14:00', 'Call me'),
      })
      await consumer('It came back as soon as I passed 3,000 rpm')
    },
  },
  {
    name: 'أحمد بن عبد الرحمن الفهد',
    touchpoint: 'SMS',
    telephone: '+31612345670',
    category: 'Winter berth',
    says: 'هل يوجد رصيف متاح لقارب طوله ١٢ مترًا هذا الشتاء؟ winter',
  },
  {
    name: 'Oluwaseun Adébáyọ̀',
    touchpoint: 'WEB',
    category: 'Hull',
    says: 'Photo of the crack in the keel, is it safe to sail home?',
  },
  {
    name: 'Nguyễn Thị Bích Hằng',
    touchpoint: 'WEB',
    says: 'The card reader at the fuel dock is refusing my bank card',
  },
  {
    name: 'Łukasz Świątek',
    touchpoint: 'SMS',
    telephone: '+31612345671',
    says: 'Can I move my lift-out from Friday to Monday morning?',
  },
  {
    name: '田中 由紀子',
    touchpoint: 'EMAIL',
    category: 'Invoice',
    says: '注文したプロペラはいつ届きますか。注文番号は HB-20418 です。',
  },
  { name: 'Joaquim Moreira', touchpoint: 'EMAIL', says: 'Bom dia, preciso de uma cotação para antifouling' },
  {
    name: 'Siobhán Ní Dhomhnaill',
    touchpoint: 'EMAIL',
    category: 'Invoice',
    says: 'Invoice 2024-118 was paid twice.',
    then: async (scene) => {
      await accept(scene, scene.ann)
      await scene.send(scene.ann.client, {
        role: 'AGENT',
        text: 'You are right: the second payment goes back to you today.',
      })
      await scene.consumer('Thanks! One more thing about the invoice')
    },
  },
  {
    name: 'Marieke van ’t Hoff',
    touchpoint: 'WEB',
    category: 'Winter berth',
    says: 'Is berth 14 on pier B free this winter?',
    then: async (scene) => {
      await accept(scene, scene.bob)
      await scene.send(scene.bob.client, { role: 'AGENT', text: 'It is. I keep it for you until Friday.' })
      await scene.bob.client.request(LeaveConversationDocument, { conversation: scene.conversation })
    },
  },
]
