import type { Knex } from 'knex'
import type { ClientBase } from 'pg'
import {
  Model,
  type ModelObject,
  type Page as ObjectionPage,
  type PartialModelObject,
  QueryBuilder,
  raw,
} from 'objection'

import { boundedPageOf, inOrder, offsetOf, pageQuery, type PageRow } from '../db/page-query.ts'
import { rawUntilAborted } from '../db/until-aborted.ts'
import type { Actor } from '../domain/actor.ts'
import type { Page, SortedRequest } from '../resources/page.ts'
import { type EntityOf, type Resource, selectionOf } from '../resources/resource.ts'
import type { Scope } from '../scope.ts'

/** Marks a query, and its clones, as one with a scope. */
const IN_SCOPE = { inScope: true }

/**
 * Finds and changes only what a person may see: a query without a scope fails. It returns things as
 * their resource describes them, so that no row is passed on with additional columns.
 */
export class ScopedQueryBuilder<M extends Model, R = M[]> extends QueryBuilder<M, R> {
  declare ArrayQueryBuilderType: ScopedQueryBuilder<M>
  declare SingleQueryBuilderType: ScopedQueryBuilder<M, M>
  declare MaybeSingleQueryBuilderType: ScopedQueryBuilder<M, M | undefined>
  declare NumberQueryBuilderType: ScopedQueryBuilder<M, number>
  declare PageQueryBuilderType: ScopedQueryBuilder<M, ObjectionPage<M>>

  visibleTo(actor: Actor): this {
    return this.within((this.modelClass() as unknown as typeof ScopedModel).scope, actor)
  }

  byUuid(uuid: string): SingleScopedQuery<M> {
    return this.findOne(`${this.#table}.uuid`, uuid)
  }

  /**
   * Runs on a connection that the caller holds: in its transaction, and under its locks. Whoever
   * waits for a lock keeps none of the few connections that models share.
   */
  on(client: ClientBase): this {
    return this.onBuildKnex((query) => void query.connection(client))
  }

  /** Finds a row by its internal key, which is only known to code that found it in scope. */
  foundBefore(id: number): this {
    return this.context(IN_SCOPE).where(`${this.#table}.id`, id)
  }

  /** `besides`: columns that are not in the resource. */
  async oneAs<S extends Resource, K extends string & keyof M = never>(
    resource: S,
    besides: readonly K[] = [],
  ): Promise<(EntityOf<S> & Pick<M, K>) | undefined> {
    const columns = besides.map((column) => `${this.#table}.${column}`)
    const found: unknown = await this.select(this.#fieldsOf(resource), ...columns).first()
    return found as (EntityOf<S> & Pick<M, K>) | undefined
  }

  /** Inserts a row, and returns it with what the database set. */
  async insertAs<S extends Resource>(
    resource: S,
    row: PartialModelObject<M>,
  ): Promise<EntityOf<S>> {
    const made: unknown = await this.insert(row).returning(this.#fieldsOf(resource) as never)
    return made as EntityOf<S>
  }

  /** Returns the row after the change; undefined if nothing was found. */
  async patchAs<S extends Resource>(
    resource: S,
    change: PartialModelObject<M>,
  ): Promise<EntityOf<S> | undefined> {
    const changed: unknown = await this.patch(change).returning(this.#fieldsOf(resource) as never)
    return (changed as EntityOf<S>[])[0]
  }

  /**
   * A page of things, newest first unless another order is wanted. `beside` joins the tables that fields are read from, which have
   * one row for each thing; the count leaves them out.
   */
  async listAs<S extends Resource>(
    resource: S,
    request: SortedRequest,
    signal: AbortSignal,
    beside: (items: this) => this = (items) => items,
  ): Promise<Page<EntityOf<S> & { readonly id: number }>> {
    type Row = PageRow<EntityOf<S> & { readonly id: number }>
    const counted = this.clone().clearSelect().select(raw('count(*) as total'))
    // First which things, then what there is to say of them: fields are looked up for the page alone.
    const ids = this.clone()
      .clearSelect()
      .select(`${this.#table}.id`)
      .orderByRaw(inOrder(this.#table, request))
      .limit(request.limit)
      .offset(offsetOf(request))
    const items = beside(this.clone())
      .select(this.#fieldsOf(resource))
      .whereRaw(`${this.#table}.id = any (array(?))`, [ids.toKnexQuery()])
    const page = this.knex().raw<{ rows: Row[] }>(
      pageQuery({
        counted: '?',
        items: '?',
        order: inOrder('page', request, '"createdAt"'),
        bounded: true,
      }),
      [counted.toKnexQuery(), items.toKnexQuery()],
    )
    const { rows } = await rawUntilAborted(this.knex(), page, signal)
    return boundedPageOf(rows, request)
  }

  protected within(scope: Scope, actor: Actor): this {
    const condition = scope.rows(this.#table, '?')
    const reach = scope.reach(actor)
    const parameters = condition.split('?').slice(1)
    return this.context(IN_SCOPE).whereRaw(
      condition,
      parameters.map(() => reach),
    )
  }

  override async execute(): Promise<R> {
    this.#refuseUnscoped()
    return super.execute()
  }

  override toKnexQuery<T extends object = ModelObject<M>>(...given: []): Knex.QueryBuilder<T, T[]> {
    this.#refuseUnscoped()
    return super.toKnexQuery<T>(...given)
  }

  get #table(): string {
    return this.modelClass().tableName
  }

  #fieldsOf(resource: Resource) {
    return raw(selectionOf(resource, this.#table))
  }

  #refuseUnscoped(): void {
    const { inScope } = this.context() as Partial<typeof IN_SCOPE>
    if (inScope || this.isInsert()) return
    throw new Error(`A query of ${this.#table} has no scope`)
  }
}

type SingleScopedQuery<M extends Model> = ScopedQueryBuilder<M, M | undefined>

/** A table whose rows belong to tenants. */
export abstract class ScopedModel extends Model {
  declare QueryBuilderType: ScopedQueryBuilder<this, this[]>
  static override QueryBuilder = ScopedQueryBuilder

  declare static readonly scope: Scope

  declare id: number
  declare uuid: string
}

type StaticSide = { [K in keyof typeof ScopedModel]: (typeof ScopedModel)[K] }
type ModelOf<Columns> = StaticSide & (new () => ScopedModel & Columns)

/** The model for the table of a scope; only the types know its columns. */
export function scopedModel<Columns extends object>(scope: Scope): ModelOf<Columns> {
  class ModelOfTable extends ScopedModel {
    static override tableName = scope.table
    static override readonly scope = scope
  }
  return ModelOfTable as unknown as ModelOf<Columns>
}
