SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE ("Origin" = 'USA') = $1::BOOLEAN
  AND ("Origin" = 'USA') IS TRUE
GROUP BY "Origin"
ORDER BY "Origin" ASC
LIMIT 50000;
-- [true]
