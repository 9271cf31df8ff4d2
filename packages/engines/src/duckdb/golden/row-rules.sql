SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM (SELECT * FROM "cars" WHERE (("Origin" = 'Japan') OR ("Origin" = 'Europe' -- both
)) AND ("Cylinders" = 4 OR "Cylinders" = 6) OFFSET 0) AS "cars"
WHERE (1 = 1 OR 2 = 2)
GROUP BY "Origin"
ORDER BY "Origin" ASC
LIMIT 50000;
-- []
