export interface SampleColumn {
  name: string
  /** Type name that every engine supports. */
  type: string
}

const columns = (text: string): SampleColumn[] =>
  text.split(/,\s+/).map((column) => {
    const [, name = '', type = ''] = /^(.*?) ([A-Z]+(?: PRECISION|\(.*\))?)$/.exec(column.trim()) ?? []
    return { name, type: type.replace(';', ', ') }
  })

/** Columns of the sample tables in order; `v_` tables are SQL over the others. */
export const sampleColumns: Record<string, SampleColumn[]> = {
  flights: columns('date TIMESTAMP, delay INTEGER, distance INTEGER, origin TEXT, destination TEXT'),
  cars: columns(`Name TEXT, Miles_per_Gallon DOUBLE PRECISION, Cylinders INTEGER, Displacement DOUBLE PRECISION,
    Horsepower INTEGER, Weight_in_lbs INTEGER, Acceleration DOUBLE PRECISION, Year TIMESTAMP, Origin TEXT`),
  movies: columns(`Title TEXT, US Gross BIGINT, Worldwide Gross BIGINT, US DVD Sales BIGINT, Production Budget BIGINT,
    Release Date DATE, MPAA Rating TEXT, Running Time min INTEGER, Distributor TEXT, Source TEXT, Major Genre TEXT,
    Creative Type TEXT, Director TEXT, Rotten Tomatoes Rating INTEGER, IMDB Rating DOUBLE PRECISION, IMDB Votes INTEGER`),
  stocks: columns('symbol TEXT, date TIMESTAMP, price DOUBLE PRECISION'),
  seattle_weather: columns(`date TIMESTAMP, precipitation DOUBLE PRECISION, temp_max DOUBLE PRECISION,
    temp_min DOUBLE PRECISION, wind DOUBLE PRECISION, weather TEXT`),
  gapminder: columns(`year INTEGER, country TEXT, cluster INTEGER, pop BIGINT, life_expect DOUBLE PRECISION,
    fertility DOUBLE PRECISION`),
  birdstrikes:
    columns(`Airport Name TEXT, Aircraft Make Model TEXT, Effect Amount of damage TEXT, Flight Date TIMESTAMP,
    Aircraft Airline Operator TEXT, Origin State TEXT, Phase of flight TEXT, Wildlife Size TEXT, Wildlife Species TEXT,
    Time of day TEXT, Cost Other INTEGER, Cost Repair INTEGER, Cost Total $ INTEGER, Speed IAS in knots INTEGER`),
  disasters: columns('Entity TEXT, Year INTEGER, Deaths INTEGER'),
  airports: columns(`iata TEXT, name TEXT, city TEXT, state TEXT, country TEXT, latitude DOUBLE PRECISION,
    longitude DOUBLE PRECISION`),
  v_cars_eu: columns('name TEXT, origin TEXT, hp INTEGER, yr TIMESTAMP'),
  v_cars_cte: columns('origin TEXT, cyl INTEGER, hp DOUBLE PRECISION'),
  v_cars_jinja: columns('name TEXT, origin TEXT, hp INTEGER, yr TIMESTAMP'),
  v_dates: columns('symbol TEXT, price DOUBLE PRECISION, ts_s BIGINT, ts_ms BIGINT, d_text TEXT, d_date DATE'),
  v_types: columns(
    'i INTEGER, t TEXT, b BOOLEAN, n DECIMAL(10;2), f DOUBLE PRECISION, big BIGINT, d DATE, ts TIMESTAMP, tm TIME',
  ),
}
