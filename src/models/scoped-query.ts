import type { Knex } from 'knex'
import { Model, type ModelObject, type Page, QueryBuilder } from 'objection'

import type { Actor } from '../domain/actor.ts'
import type { Scope } from '../scope.ts'

/** Marks a query, and what is cloned from it, as one that is in a scope. */
const IN_SCOPE = { inScope: true }

/** Finds and changes only what somebody may see: a query that was given no scope fails. */
export class ScopedQueryBuilder<M extends Model, R = M[]> extends QueryBuilder<M, R> {
  declare ArrayQueryBuilderType: ScopedQueryBuilder<M>
  declare SingleQueryBuilderType: ScopedQueryBuilder<M, M>
  declare MaybeSingleQueryBuilderType: ScopedQueryBuilder<M, M | undefined>
  declare NumberQueryBuilderType: ScopedQueryBuilder<M, number>
  declare PageQueryBuilderType: ScopedQueryBuilder<M, Page<M>>

  visibleTo(actor: Actor): this {
    return this.within((this.modelClass() as unknown as typeof ScopedModel).scope, actor)
  }

  byUuid(uuid: string): SingleScopedQuery<M> {
    const { tableName } = this.modelClass()
    return this.findOne(`${tableName}.uuid`, uuid)
  }

  /** A row by the key inside the database, which only who found it in scope can know. */
  foundBefore(id: number): this {
    return this.context(IN_SCOPE).where(`${this.modelClass().tableName}.id`, id)
  }

  protected within(scope: Scope, actor: Actor): this {
    const condition = scope.rows(this.modelClass().tableName, '?')
    const parameters = condition.split('?').slice(1)
    const reach = scope.reach(actor)
    return this.context(IN_SCOPE).whereRaw(
      condition,
      parameters.map(() => reach),
    )
  }

  override async execute(): Promise<R> {
    this.refuseUnscoped()
    return super.execute()
  }

  override toKnexQuery<T extends object = ModelObject<M>>(...given: []): Knex.QueryBuilder<T, T[]> {
    this.refuseUnscoped()
    return super.toKnexQuery<T>(...given)
  }

  private refuseUnscoped(): void {
    const { inScope } = this.context() as Partial<typeof IN_SCOPE>
    if (inScope || this.isInsert()) return
    throw new Error(`A query of ${this.modelClass().tableName} goes without a scope`)
  }
}

export type SingleScopedQuery<M extends Model> = ScopedQueryBuilder<M, M | undefined>

/** A table of tenants. */
export abstract class ScopedModel extends Model {
  declare QueryBuilderType: ScopedQueryBuilder<this, this[]>
  static override QueryBuilder = ScopedQueryBuilder

  declare static readonly scope: Scope

  declare id: number
  declare uuid: string
}
