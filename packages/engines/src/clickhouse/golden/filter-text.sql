SELECT "Origin" AS "Origin_1f93146f",
       COUNT(*) AS "count_39b1ddf4"
FROM "cars"
WHERE "Name" ILIKE {p1:String}
  AND "Origin" <> {p2:String}
GROUP BY "Origin"
ORDER BY "Origin_1f93146f" ASC NULLS LAST
LIMIT 50000;
-- ["%FORD%","O'Hara; --"]
