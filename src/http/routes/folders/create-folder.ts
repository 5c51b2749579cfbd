import { Type } from 'typebox'

import { isSuperAdmin } from '../../../domain/actor.ts'
import {
  EnterpriseNotFoundException,
  FolderBeingDeletedException,
  FolderNotFoundException,
  FolderRootAlreadyExistsException,
  ForbiddenException,
  invalidField,
} from '../../../errors/index.ts'
import { answerWith, defineRoute } from '../../define-route.ts'
import {
  exampleRoot,
  exampleSubFolder,
  folderSchema,
  presentFolder,
} from '../../presenters/present-folder.ts'
import { documented, named, strictObject, trimmedName, uuid } from '../../schemas.ts'
import { requestMessages } from '../../request-messages.ts'

const integerId = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description }))

const ROOT_OR_SUB_FOLDER = {
  not: { properties: { enterpriseId: false, parentUuid: false } },
  dependentSchemas: { parentUuid: { properties: { enterpriseId: false, clientId: false } } },
}

const newFolder = named(
  'NewFolder',
  documented(
    strictObject({
      name: trimmedName('Name of the folder'),
      enterpriseId: integerId('For a root: the enterprise that it belongs to'),
      clientId: integerId('For a root: default is the first enterprise account of the enterprise'),
      parentUuid: Type.Optional(uuid('For a sub-folder: what it lies in')),
    }),
    ROOT_OR_SUB_FOLDER,
  ),
  {
    'sub-folder': { name: exampleSubFolder.name, parentUuid: exampleRoot.uuid },
    root: { name: exampleRoot.name, enterpriseId: exampleRoot.enterprise_id },
  },
)

export const createFolder = defineRoute(
  {
    method: 'post',
    path: '/folders',
    access: 'folder-tree',
    tag: 'folders',
    summary: 'Create a root folder or a sub-folder',
    audit: 'folder.create',
    description:
      'With `enterpriseId` a root, for super-admins; with `parentUuid` a sub-folder, which takes ' +
      'enterprise and client from its parent. Exactly one of the two.',
    body: newFolder,
    responses: { 201: { description: 'The folder', schema: folderSchema } },
    problems: [
      EnterpriseNotFoundException,
      FolderNotFoundException,
      FolderRootAlreadyExistsException,
      FolderBeingDeletedException,
    ],
  },
  async (request, { folders }) => {
    const { actor, body } = request
    const answer = answerWith(request, presentFolder)
    const { name, enterpriseId, clientId, parentUuid } = body
    if ((enterpriseId === undefined) === (parentUuid === undefined)) {
      throw invalidField('/enterpriseId', requestMessages.parentOrEnterprise())
    }
    if (parentUuid !== undefined) {
      if (clientId !== undefined) throw invalidField('/clientId', requestMessages.clientOfParent())
      return presentFolder(await folders.createChild(actor, { name, parentUuid }, answer))
    }
    if (!isSuperAdmin(actor)) throw new ForbiddenException(requestMessages.rootsBySuperAdmins())
    const root = { name, enterpriseId: enterpriseId!, clientId }
    return presentFolder(await folders.createRoot(actor, root, answer))
  },
)
