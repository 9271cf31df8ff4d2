SELECT "Origin" AS "Origin_1f93146f",
       COUNT(*) AS "count_39b1ddf4"
FROM "cars"
WHERE "Year" >= toDateTime64({p1:String}, 6, 'UTC')
  AND "Year" < toDateTime64({p2:String}, 6, 'UTC')
GROUP BY "Origin"
ORDER BY "Origin_1f93146f" ASC NULLS LAST
LIMIT 50000;
-- ["1980-01-01 00:00:00","1982-01-01"]
