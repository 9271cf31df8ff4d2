SELECT "Origin" AS "Origin_1f93146f",
       COUNT(*) AS "count_39b1ddf4"
FROM "cars"
WHERE ("Origin" = 'USA') = {p1:Bool}
  AND ifNull(("Origin" = 'USA'), false)
GROUP BY "Origin"
ORDER BY "Origin_1f93146f" ASC NULLS LAST
LIMIT 50000;
-- [true]
