type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Where it is, and how high: with more of them, commas stand in the place of points. */
const isPosition = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length >= 2 &&
  value.length <= 3 &&
  value.every((each) => typeof each === 'number')

const listOf =
  (isItem: (value: unknown) => boolean, least = 0) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.length >= least && value.every(isItem)

const isLine = listOf(isPosition, 2)
const isPolygon = listOf(listOf(isPosition, 4))

/** By `type`, whether the coordinates are such. */
const COORDINATES: Readonly<Record<string, (value: unknown) => boolean>> = {
  Point: isPosition,
  MultiPoint: listOf(isPosition),
  LineString: isLine,
  MultiLineString: listOf(isLine),
  Polygon: isPolygon,
  MultiPolygon: listOf(isPolygon),
}

const hasCoordinates = ({ type, coordinates }: Json): boolean =>
  typeof type === 'string' && Object.hasOwn(COORDINATES, type) && COORDINATES[type]!(coordinates)

const isPlain = (value: unknown): boolean => isObject(value) && hasCoordinates(value)

/** A collection holds none of its own kind, so that nothing here goes deeper than it is written. */
const isGeometry = (value: unknown): boolean =>
  isPlain(value) ||
  (isObject(value) && value.type === 'GeometryCollection' && listOf(isPlain)(value.geometries))

const isFeature = (value: unknown): boolean =>
  isObject(value) &&
  value.type === 'Feature' &&
  (value.geometry === null || isGeometry(value.geometry)) &&
  (value.properties === null || isObject(value.properties))

/** Whether a value of JSON is an object of RFC 7946. */
export const isGeojson = (value: unknown): boolean =>
  isFeature(value) ||
  (isObject(value) && value.type === 'FeatureCollection' && listOf(isFeature)(value.features)) ||
  isGeometry(value)
