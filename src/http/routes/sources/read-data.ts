import {
  PageTooLargeException,
  ShareExceededException,
  SourceBusyException,
  SourceInUseException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentDataPage, sourceDataSchema } from '../../presenters/present-source-data.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { pageQuery, strictObject } from '../../schemas.ts'
import { filterQuery, orderQuery, readFilters } from './row-filters.ts'

export const readSourceData = defineRoute(
  {
    method: 'get',
    path: '/sources/:uuid/data',
    access: 'admin',
    tag: 'sources',
    summary: 'Read the rows of a source',
    description:
      'In the order of the source any page costs the same. A blank is null, numbers keep every ' +
      'digit, a date is YYYY-MM-DD, an instant ISO 8601 in UTC with milliseconds. ' +
      'A page has at most 16 MiB; past it 413 names a `limit` that would do. With `filter` the whole ' +
      'table is read, and `total` counts the rows that pass.',
    params: sourcePath,
    query: strictObject({
      ...pageQuery(50, 1000),
      ...orderQuery,
      filter: filterQuery,
    }),
    responses: { 200: { description: 'A page of rows', schema: sourceDataSchema } },
    problems: [
      SourceNotFoundException,
      SourceBusyException,
      SourceInUseException,
      PageTooLargeException,
      ShareExceededException,
    ],
  },
  async ({ actor, params, query, signal }, { sources }) => {
    const { filter, ...page } = query
    const given = { ...page, filters: readFilters(filter) }
    return presentDataPage(await sources.readPage(actor, params.uuid, given, signal), query)
  },
)
