/**
 * @generated SignedSource<<d49ce2e5acccd048529fc53b040c9893>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type screensRemoveMutation$variables = {
  connections: ReadonlyArray<string>;
  id: string;
};
export type screensRemoveMutation$data = {
  readonly deleteConversation: string;
};
export type screensRemoveMutation = {
  response: screensRemoveMutation$data;
  variables: screensRemoveMutation$variables;
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
  "name": "id"
},
v2 = [
  {
    "kind": "Variable",
    "name": "id",
    "variableName": "id"
  }
],
v3 = {
  "alias": null,
  "args": (v2/*:: as any*/),
  "kind": "ScalarField",
  "name": "deleteConversation",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "screensRemoveMutation",
    "selections": [
      (v3/*:: as any*/)
    ],
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v1/*:: as any*/),
      (v0/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "screensRemoveMutation",
    "selections": [
      (v3/*:: as any*/),
      {
        "alias": null,
        "args": (v2/*:: as any*/),
        "filters": null,
        "handle": "deleteEdge",
        "key": "",
        "kind": "ScalarHandle",
        "name": "deleteConversation",
        "handleArgs": [
          {
            "kind": "Variable",
            "name": "connections",
            "variableName": "connections"
          }
        ]
      }
    ]
  },
  "params": {
    "cacheID": "69e92db0d227a8d6d4b64f12ecff40ec",
    "id": null,
    "metadata": {},
    "name": "screensRemoveMutation",
    "operationKind": "mutation",
    "text": "mutation screensRemoveMutation(\n  $id: ID!\n) {\n  deleteConversation(id: $id)\n}\n"
  }
};
})();

(node as any).hash = "558ad797df20d78793c1185de50e85df";

export default node;
