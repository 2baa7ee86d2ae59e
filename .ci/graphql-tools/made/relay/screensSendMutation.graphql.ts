/**
 * @generated SignedSource<<b9a0300e34428b01a27ac74ff8b4a2f5>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type ActionType = "LINK" | "LOCATION_REQUEST" | "POSTBACK" | "REPLY" | "WEBVIEW";
export type ContentType = "IMAGE_GIF" | "IMAGE_JPEG" | "IMAGE_JPG" | "IMAGE_PNG" | "TEXT_HTML" | "TEXT_PLAIN" | "TEXT_URL";
export type MessageRole = "AGENT" | "BOT" | "CONTACT" | "SYSTEM";
export type MessageType = "CARD" | "CHAT" | "COMMAND" | "FIELD" | "FORM" | "MENTION" | "POSTBACK" | "REPORT" | "RESULTS" | "SEARCH" | "TAG";
export type Touchpoint = "EMAIL" | "MESSENGER" | "SMS" | "WEB";
export type MessageInput = {
  actions?: ReadonlyArray<ActionInput> | null | undefined;
  contentType?: ContentType | null | undefined;
  delay?: number | null | undefined;
  id?: string | null | undefined;
  isBackchannel?: boolean | null | undefined;
  items?: ReadonlyArray<ItemInput> | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  results?: ReadonlyArray<Record<string, unknown>> | null | undefined;
  role?: MessageRole | null | undefined;
  service?: string | null | undefined;
  text?: string | null | undefined;
  touchpoint?: Touchpoint | null | undefined;
  type?: MessageType | null | undefined;
  user?: string | null | undefined;
};
export type ActionInput = {
  fallback?: string | null | undefined;
  iconUrl?: string | null | undefined;
  mediaType?: string | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  payload?: string | null | undefined;
  size?: string | null | undefined;
  text?: string | null | undefined;
  type: ActionType;
  uri?: string | null | undefined;
};
export type ItemInput = {
  actions?: ReadonlyArray<ActionInput> | null | undefined;
  description?: string | null | undefined;
  iconUrl?: string | null | undefined;
  mediaType?: string | null | undefined;
  mediaUrl?: string | null | undefined;
  size?: string | null | undefined;
  title?: string | null | undefined;
};
export type screensSendMutation$variables = {
  connections: ReadonlyArray<string>;
  conversation: string;
  message: MessageInput;
};
export type screensSendMutation$data = {
  readonly sendMessage: {
    readonly id: string;
    readonly position: number;
    readonly text: string | null | undefined;
  };
};
export type screensSendMutation = {
  response: screensSendMutation$data;
  variables: screensSendMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "connections"
},
v1 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "conversation"
},
v2 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "message"
},
v3 = [
  {
    "kind": "Variable",
    "name": "conversation",
    "variableName": "conversation"
  },
  {
    "kind": "Variable",
    "name": "message",
    "variableName": "message"
  }
],
v4 = {
  "alias": null,
  "args": (v3/*:: as any*/),
  "concreteType": "Message",
  "kind": "LinkedField",
  "name": "sendMessage",
  "plural": false,
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "id",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "text",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "position",
      "storageKey": null
    }
  ],
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/),
      (v2/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "screensSendMutation",
    "selections": [
      (v4/*:: as any*/)
    ],
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v1/*:: as any*/),
      (v2/*:: as any*/),
      (v0/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "screensSendMutation",
    "selections": [
      (v4/*:: as any*/),
      {
        "alias": null,
        "args": (v3/*:: as any*/),
        "filters": null,
        "handle": "appendNode",
        "key": "",
        "kind": "LinkedHandle",
        "name": "sendMessage",
        "handleArgs": [
          {
            "kind": "Variable",
            "name": "connections",
            "variableName": "connections"
          },
          {
            "kind": "Literal",
            "name": "edgeTypeName",
            "value": "MessageEdge"
          }
        ]
      }
    ]
  },
  "params": {
    "cacheID": "fe9941bb5bd9171701816b744e34a142",
    "id": null,
    "metadata": {},
    "name": "screensSendMutation",
    "operationKind": "mutation",
    "text": "mutation screensSendMutation(\n  $conversation: ID!\n  $message: MessageInput!\n) {\n  sendMessage(conversation: $conversation, message: $message) {\n    id\n    text\n    position\n  }\n}\n"
  }
};
})();

(node as any).hash = "3886fb9c5906611204a46651b65c7be3";

export default node;
