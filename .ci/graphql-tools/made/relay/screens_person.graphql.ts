/**
 * @generated SignedSource<<914280bf16fade952eabbcc5af533e55>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type screens_person$data = {
  readonly avatar: string | null | undefined;
  readonly displayName: string;
  readonly " $fragmentType": "screens_person";
};
export type screens_person$key = {
  readonly " $data"?: screens_person$data;
  readonly " $fragmentSpreads": FragmentRefs<"screens_person">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "screens_person",
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "displayName",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "avatar",
      "storageKey": null
    }
  ],
  "type": "Profile",
  "abstractKey": "__isProfile"
};

(node as any).hash = "479bd131377692ef0266e2d522882873";

export default node;
