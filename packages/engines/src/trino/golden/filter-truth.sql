SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE ("Origin" = 'USA') = TRUE
  AND ("Origin" = 'USA') IS NOT DISTINCT FROM TRUE
GROUP BY "Origin"
ORDER BY "Origin" ASC NULLS LAST
LIMIT 50000;
-- [true,true]
