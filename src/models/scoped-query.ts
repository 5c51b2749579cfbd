import { Model, type Page, QueryBuilder } from 'objection'

import type { Actor } from '../domain/actor.ts'

/**
 * What an actor may see, said in SQL. A model that declares no scope shows nobody anything: asking
 * it for one throws.
 */
export class ScopedQueryBuilder<M extends Model, R = M[]> extends QueryBuilder<M, R> {
  declare ArrayQueryBuilderType: ScopedQueryBuilder<M>
  declare SingleQueryBuilderType: ScopedQueryBuilder<M, M>
  declare MaybeSingleQueryBuilderType: ScopedQueryBuilder<M, M | undefined>
  declare NumberQueryBuilderType: ScopedQueryBuilder<M, number>
  declare PageQueryBuilderType: ScopedQueryBuilder<M, Page<M>>

  visibleTo(actor: Actor): this {
    const model = this.modelClass() as unknown as typeof ScopedModel
    model.scope(this as unknown as AnyScopedQuery, actor)
    return this
  }

  byUuid(uuid: string): SingleScopedQuery<M> {
    const { tableName } = this.modelClass()
    return this.findOne(`${tableName}.uuid`, uuid)
  }
}

export type SingleScopedQuery<M extends Model> = ScopedQueryBuilder<M, M | undefined>
export type AnyScopedQuery = ScopedQueryBuilder<ScopedModel, ScopedModel[]>

export abstract class ScopedModel extends Model {
  declare QueryBuilderType: ScopedQueryBuilder<this, this[]>
  static override QueryBuilder = ScopedQueryBuilder

  declare id: number
  declare uuid: string

  /** Narrows the query to what the actor may see. */
  static scope(_query: AnyScopedQuery, _actor: Actor): void {
    throw new Error(`${this.name} declares no scope, so nobody may see it`)
  }
}

/** The common scope: super-admins see all, everyone else their own enterprise, or nothing. */
export function scopeToEnterprise(query: AnyScopedQuery, actor: Actor, column: string): void {
  if (actor.role === 'super-admin') return
  if (actor.enterprise === null) void query.whereRaw('false')
  else void query.where(column, actor.enterprise.id)
}
