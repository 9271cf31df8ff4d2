SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE ("Origin" = 'USA') = ?
  AND ("Origin" = 'USA') IS TRUE
GROUP BY "Origin"
ORDER BY "Origin" ASC NULLS LAST
LIMIT 50000;
-- [true]
