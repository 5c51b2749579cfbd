import type { AccountType, Actor } from '../actor.ts'
import type { Folder, FolderEnterprise } from './folder.ts'

export interface Folders extends FolderReading, FolderChanges {}

export interface PageRequest {
  readonly page: number
  readonly limit: number
}

export interface FolderFilter extends PageRequest {
  readonly search?: string
  readonly accountType?: AccountType
  readonly enterpriseId?: number
  readonly parent: 'root' | 'all'
}

export interface EligibleEnterprise extends FolderEnterprise {
  /** It has an active root already. */
  readonly hasFolder: boolean
}

export interface FolderReading {
  list(actor: Actor, filter: FolderFilter): Promise<{ items: Folder[]; total: number }>
  enterprises(
    query: PageRequest & { readonly search?: string },
  ): Promise<{ items: EligibleEnterprise[]; total: number }>
  /** The root of the actor's own enterprise and what lies directly in it. */
  mine(actor: Actor): Promise<{ root: Folder; children: Folder[] }>
  children(
    actor: Actor,
    uuid: string,
    page: PageRequest,
  ): Promise<{ items: Folder[]; total: number }>
  /** From the root down to the folder itself. */
  breadcrumb(actor: Actor, uuid: string): Promise<{ uuid: string; name: string }[]>
}

export interface NewRoot {
  readonly name: string
  readonly enterpriseId: number
  readonly clientId?: number | undefined
}

export interface FolderChanges {
  createRoot(actor: Actor, given: NewRoot): Promise<Folder>
  createChild(actor: Actor, given: { name: string; parentUuid: string }): Promise<Folder>
  rename(actor: Actor, uuid: string, name: string): Promise<Folder>
  /** The folder and what lies below it, with one time of deletion. */
  remove(actor: Actor, uuid: string): Promise<void>
  /** Exactly what went with it comes back. */
  restore(actor: Actor, uuid: string): Promise<Folder>
  move(actor: Actor, uuid: string, parentUuid: string): Promise<Folder>
}
